(define (problem strange_0)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_0_bar_2 - location
    loc_bar_1_bar_2 - location
    loc_bar_2_bar_7 - location
    loc_bar_minus_3_bar_3 - location
    Microwave_bar__plus_88_dot_30_bar__plus_13_dot_75 - receptacle
    Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48 - receptacle
    Drawer_bar__plus_60_dot_91_bar__plus_86_dot_45 - receptacle
    Cabinet_bar__plus_62_dot_35_bar__plus_59_dot_19 - receptacle
    ButterKnife_bar__plus_81_dot_45_bar__plus_29_dot_41 - object
    Knife_bar__plus_41_dot_57_bar__plus_15_dot_77 - object
    Curtains_bar__plus_22_dot_47_bar__plus_94_dot_27 - object
    Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85 - object
    Mug_bar__plus_94_dot_07_bar__minus_88_dot_56 - object
    Egg_bar__plus_22_dot_49_bar__minus_15_dot_85 - object
    Apple_bar__minus_91_dot_07_bar__plus_58_dot_64 - object
    DeskLamp_bar__minus_02_dot_31_bar__plus_06_dot_97 - object
    Bread_bar__plus_26_dot_85_bar__plus_41_dot_35 - object
    AppleType - otype
    BowlType - otype
    BreadType - otype
    ButterKnifeType - otype
    CurtainsType - otype
    DeskLampType - otype
    EggType - otype
    KnifeType - otype
    MugType - otype
    CabinetType - rtype
    DrawerType - rtype
    FridgeType - rtype
    MicrowaveType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_1_bar_2)
    (canContain CabinetType AppleType)
    (canContain CabinetType BowlType)
    (canContain CabinetType ButterKnifeType)
    (canContain CabinetType CurtainsType)
    (canContain CabinetType DeskLampType)
    (canContain CabinetType EggType)
    (canContain DrawerType BreadType)
    (canContain DrawerType CurtainsType)
    (canContain DrawerType DeskLampType)
    (canContain DrawerType EggType)
    (canContain DrawerType MugType)
    (canContain FridgeType BowlType)
    (canContain FridgeType BreadType)
    (canContain FridgeType ButterKnifeType)
    (canContain FridgeType DeskLampType)
    (canContain FridgeType EggType)
    (canContain FridgeType KnifeType)
    (canContain FridgeType MugType)
    (canContain MicrowaveType AppleType)
    (canContain MicrowaveType BowlType)
    (canContain MicrowaveType BreadType)
    (canContain MicrowaveType CurtainsType)
    (canContain MicrowaveType EggType)
    (canContain MicrowaveType KnifeType)
    (canContain MicrowaveType MugType)
    (receptacleAtLocation Microwave_bar__plus_88_dot_30_bar__plus_13_dot_75 loc_bar_minus_3_bar_3)
    (receptacleType Microwave_bar__plus_88_dot_30_bar__plus_13_dot_75 MicrowaveType)
    (openable Microwave_bar__plus_88_dot_30_bar__plus_13_dot_75)
    (receptacleAtLocation Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48 loc_bar_2_bar_7)
    (receptacleType Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48 FridgeType)
    (openable Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48)
    (opened Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48)
    (receptacleAtLocation Drawer_bar__plus_60_dot_91_bar__plus_86_dot_45 loc_bar_0_bar_2)
    (receptacleType Drawer_bar__plus_60_dot_91_bar__plus_86_dot_45 DrawerType)
    (receptacleAtLocation Cabinet_bar__plus_62_dot_35_bar__plus_59_dot_19 loc_bar_1_bar_2)
    (receptacleType Cabinet_bar__plus_62_dot_35_bar__plus_59_dot_19 CabinetType)
    (openable Cabinet_bar__plus_62_dot_35_bar__plus_59_dot_19)
    (opened Cabinet_bar__plus_62_dot_35_bar__plus_59_dot_19)
    (objectType ButterKnife_bar__plus_81_dot_45_bar__plus_29_dot_41 ButterKnifeType)
    (inReceptacle ButterKnife_bar__plus_81_dot_45_bar__plus_29_dot_41 Cabinet_bar__plus_62_dot_35_bar__plus_59_dot_19)
    (objectAtLocation ButterKnife_bar__plus_81_dot_45_bar__plus_29_dot_41 loc_bar_0_bar_2)
    (pickupable ButterKnife_bar__plus_81_dot_45_bar__plus_29_dot_41)
    (heatable ButterKnife_bar__plus_81_dot_45_bar__plus_29_dot_41)
    (coolable ButterKnife_bar__plus_81_dot_45_bar__plus_29_dot_41)
    (objectType Knife_bar__plus_41_dot_57_bar__plus_15_dot_77 KnifeType)
    (objectAtLocation Knife_bar__plus_41_dot_57_bar__plus_15_dot_77 loc_bar_2_bar_7)
    (pickupable Knife_bar__plus_41_dot_57_bar__plus_15_dot_77)
    (heatable Knife_bar__plus_41_dot_57_bar__plus_15_dot_77)
    (coolable Knife_bar__plus_41_dot_57_bar__plus_15_dot_77)
    (toggleable Knife_bar__plus_41_dot_57_bar__plus_15_dot_77)
    (isSliced Knife_bar__plus_41_dot_57_bar__plus_15_dot_77)
    (objectType Curtains_bar__plus_22_dot_47_bar__plus_94_dot_27 CurtainsType)
    (inReceptacle Curtains_bar__plus_22_dot_47_bar__plus_94_dot_27 Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48)
    (objectAtLocation Curtains_bar__plus_22_dot_47_bar__plus_94_dot_27 loc_bar_1_bar_2)
    (pickupable Curtains_bar__plus_22_dot_47_bar__plus_94_dot_27)
    (heatable Curtains_bar__plus_22_dot_47_bar__plus_94_dot_27)
    (coolable Curtains_bar__plus_22_dot_47_bar__plus_94_dot_27)
    (objectType Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85 BowlType)
    (inReceptacle Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85 Drawer_bar__plus_60_dot_91_bar__plus_86_dot_45)
    (objectAtLocation Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85 loc_bar_0_bar_2)
    (pickupable Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85)
    (cleanable Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85)
    (heatable Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85)
    (coolable Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85)
    (sliceable Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85)
    (isReceptacleObject Bowl_bar__minus_81_dot_83_bar__plus_97_dot_85)
    (inReceptacle Mug_bar__plus_94_dot_07_bar__minus_88_dot_56 Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48)
    (pickupable Mug_bar__plus_94_dot_07_bar__minus_88_dot_56)
    (cleanable Mug_bar__plus_94_dot_07_bar__minus_88_dot_56)
    (heatable Mug_bar__plus_94_dot_07_bar__minus_88_dot_56)
    (coolable Mug_bar__plus_94_dot_07_bar__minus_88_dot_56)
    (sliceable Mug_bar__plus_94_dot_07_bar__minus_88_dot_56)
    (toggleable Mug_bar__plus_94_dot_07_bar__minus_88_dot_56)
    (objectType Egg_bar__plus_22_dot_49_bar__minus_15_dot_85 EggType)
    (inReceptacle Egg_bar__plus_22_dot_49_bar__minus_15_dot_85 Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48)
    (objectAtLocation Egg_bar__plus_22_dot_49_bar__minus_15_dot_85 loc_bar_0_bar_2)
    (pickupable Egg_bar__plus_22_dot_49_bar__minus_15_dot_85)
    (cleanable Egg_bar__plus_22_dot_49_bar__minus_15_dot_85)
    (coolable Egg_bar__plus_22_dot_49_bar__minus_15_dot_85)
    (sliceable Egg_bar__plus_22_dot_49_bar__minus_15_dot_85)
    (toggleable Egg_bar__plus_22_dot_49_bar__minus_15_dot_85)
    (objectType Apple_bar__minus_91_dot_07_bar__plus_58_dot_64 AppleType)
    (inReceptacle Apple_bar__minus_91_dot_07_bar__plus_58_dot_64 Drawer_bar__plus_60_dot_91_bar__plus_86_dot_45)
    (objectAtLocation Apple_bar__minus_91_dot_07_bar__plus_58_dot_64 loc_bar_0_bar_2)
    (pickupable Apple_bar__minus_91_dot_07_bar__plus_58_dot_64)
    (cleanable Apple_bar__minus_91_dot_07_bar__plus_58_dot_64)
    (coolable Apple_bar__minus_91_dot_07_bar__plus_58_dot_64)
    (sliceable Apple_bar__minus_91_dot_07_bar__plus_58_dot_64)
    (toggleable Apple_bar__minus_91_dot_07_bar__plus_58_dot_64)
    (objectType DeskLamp_bar__minus_02_dot_31_bar__plus_06_dot_97 DeskLampType)
    (inReceptacle DeskLamp_bar__minus_02_dot_31_bar__plus_06_dot_97 Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48)
    (objectAtLocation DeskLamp_bar__minus_02_dot_31_bar__plus_06_dot_97 loc_bar_minus_3_bar_3)
    (pickupable DeskLamp_bar__minus_02_dot_31_bar__plus_06_dot_97)
    (cleanable DeskLamp_bar__minus_02_dot_31_bar__plus_06_dot_97)
    (isSliced DeskLamp_bar__minus_02_dot_31_bar__plus_06_dot_97)
    (objectType Bread_bar__plus_26_dot_85_bar__plus_41_dot_35 BreadType)
    (inReceptacle Bread_bar__plus_26_dot_85_bar__plus_41_dot_35 Drawer_bar__plus_60_dot_91_bar__plus_86_dot_45)
    (inReceptacle Bread_bar__plus_26_dot_85_bar__plus_41_dot_35 Fridge_bar__plus_10_dot_33_bar__plus_77_dot_48)
    (objectAtLocation Bread_bar__plus_26_dot_85_bar__plus_41_dot_35 loc_bar_2_bar_7)
    (pickupable Bread_bar__plus_26_dot_85_bar__plus_41_dot_35)
    (cleanable Bread_bar__plus_26_dot_85_bar__plus_41_dot_35)
    (sliceable Bread_bar__plus_26_dot_85_bar__plus_41_dot_35)
    (toggleable Bread_bar__plus_26_dot_85_bar__plus_41_dot_35)
    (isClean Bread_bar__plus_26_dot_85_bar__plus_41_dot_35))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o EggType) (receptacleType ?r DrawerType) (isCool ?o)))))))
