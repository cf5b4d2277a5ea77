(define (problem strange_1)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_minus_0_bar_8 - location
    loc_bar_1_bar_5 - location
    loc_bar_minus_2_bar_7 - location
    loc_bar_minus_3_bar_4 - location
    Microwave_bar__plus_37_dot_77_bar__minus_93_dot_62 - receptacle
    Cabinet_bar__plus_86_dot_67_bar__minus_38_dot_51 - receptacle
    Shelf_bar__minus_82_dot_95_bar__plus_23_dot_03 - receptacle
    Drawer_bar__minus_37_dot_83_bar__minus_26_dot_30 - receptacle
    Bathtub_bar__plus_31_dot_07_bar__plus_53_dot_75_bar_BathtubBasin - receptacle
    Sink_bar__plus_45_dot_10_bar__plus_24_dot_69_bar_SinkBasin - receptacle
    GarbageCan_bar__minus_50_dot_48_bar__minus_49_dot_06 - receptacle
    Egg_bar__plus_20_dot_10_bar__plus_33_dot_22 - object
    Potato_bar__plus_39_dot_60_bar__minus_64_dot_97 - object
    FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99 - object
    Mug_bar__minus_19_dot_31_bar__plus_99_dot_31 - object
    Apple_bar__plus_18_dot_37_bar__plus_69_dot_51 - object
    Bread_bar__minus_16_dot_25_bar__plus_50_dot_46 - object
    Box_bar__minus_25_dot_19_bar__minus_27_dot_76 - object
    DeskLamp_bar__plus_19_dot_83_bar__minus_68_dot_85 - object
    Cloth_bar__minus_16_dot_69_bar__plus_31_dot_94 - object
    AppleType - otype
    BoxType - otype
    BreadType - otype
    ClothType - otype
    DeskLampType - otype
    EggType - otype
    FloorLampType - otype
    MugType - otype
    PotatoType - otype
    BathtubBasinType - rtype
    CabinetType - rtype
    DrawerType - rtype
    GarbageCanType - rtype
    MicrowaveType - rtype
    ShelfType - rtype
    SinkBasinType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_minus_2_bar_7)
    (canContain BathtubBasinType AppleType)
    (canContain BathtubBasinType BoxType)
    (canContain BathtubBasinType BreadType)
    (canContain BathtubBasinType ClothType)
    (canContain BathtubBasinType DeskLampType)
    (canContain BathtubBasinType EggType)
    (canContain BathtubBasinType FloorLampType)
    (canContain BathtubBasinType MugType)
    (canContain BathtubBasinType PotatoType)
    (canContain CabinetType AppleType)
    (canContain CabinetType BoxType)
    (canContain CabinetType BreadType)
    (canContain CabinetType ClothType)
    (canContain CabinetType DeskLampType)
    (canContain CabinetType EggType)
    (canContain CabinetType FloorLampType)
    (canContain CabinetType MugType)
    (canContain CabinetType PotatoType)
    (canContain DrawerType AppleType)
    (canContain DrawerType BreadType)
    (canContain DrawerType DeskLampType)
    (canContain DrawerType EggType)
    (canContain DrawerType FloorLampType)
    (canContain DrawerType PotatoType)
    (canContain GarbageCanType AppleType)
    (canContain GarbageCanType BoxType)
    (canContain GarbageCanType BreadType)
    (canContain GarbageCanType ClothType)
    (canContain GarbageCanType DeskLampType)
    (canContain GarbageCanType FloorLampType)
    (canContain GarbageCanType MugType)
    (canContain MicrowaveType AppleType)
    (canContain MicrowaveType BoxType)
    (canContain MicrowaveType BreadType)
    (canContain MicrowaveType ClothType)
    (canContain MicrowaveType DeskLampType)
    (canContain MicrowaveType EggType)
    (canContain MicrowaveType MugType)
    (canContain MicrowaveType PotatoType)
    (canContain ShelfType BoxType)
    (canContain ShelfType BreadType)
    (canContain ShelfType ClothType)
    (canContain ShelfType DeskLampType)
    (canContain ShelfType EggType)
    (canContain ShelfType MugType)
    (canContain ShelfType PotatoType)
    (canContain SinkBasinType AppleType)
    (canContain SinkBasinType BoxType)
    (canContain SinkBasinType ClothType)
    (canContain SinkBasinType DeskLampType)
    (canContain SinkBasinType EggType)
    (canContain SinkBasinType FloorLampType)
    (canContain SinkBasinType MugType)
    (canContain SinkBasinType PotatoType)
    (receptacleType Microwave_bar__plus_37_dot_77_bar__minus_93_dot_62 MicrowaveType)
    (openable Microwave_bar__plus_37_dot_77_bar__minus_93_dot_62)
    (opened Microwave_bar__plus_37_dot_77_bar__minus_93_dot_62)
    (receptacleAtLocation Cabinet_bar__plus_86_dot_67_bar__minus_38_dot_51 loc_bar_minus_0_bar_8)
    (receptacleType Cabinet_bar__plus_86_dot_67_bar__minus_38_dot_51 CabinetType)
    (opened Cabinet_bar__plus_86_dot_67_bar__minus_38_dot_51)
    (receptacleAtLocation Shelf_bar__minus_82_dot_95_bar__plus_23_dot_03 loc_bar_minus_2_bar_7)
    (receptacleType Shelf_bar__minus_82_dot_95_bar__plus_23_dot_03 ShelfType)
    (opened Shelf_bar__minus_82_dot_95_bar__plus_23_dot_03)
    (receptacleAtLocation Drawer_bar__minus_37_dot_83_bar__minus_26_dot_30 loc_bar_minus_0_bar_8)
    (receptacleType Drawer_bar__minus_37_dot_83_bar__minus_26_dot_30 DrawerType)
    (openable Drawer_bar__minus_37_dot_83_bar__minus_26_dot_30)
    (receptacleAtLocation Bathtub_bar__plus_31_dot_07_bar__plus_53_dot_75_bar_BathtubBasin loc_bar_minus_0_bar_8)
    (receptacleType Bathtub_bar__plus_31_dot_07_bar__plus_53_dot_75_bar_BathtubBasin BathtubBasinType)
    (receptacleAtLocation Sink_bar__plus_45_dot_10_bar__plus_24_dot_69_bar_SinkBasin loc_bar_minus_3_bar_4)
    (receptacleType Sink_bar__plus_45_dot_10_bar__plus_24_dot_69_bar_SinkBasin SinkBasinType)
    (receptacleAtLocation GarbageCan_bar__minus_50_dot_48_bar__minus_49_dot_06 loc_bar_minus_2_bar_7)
    (receptacleType GarbageCan_bar__minus_50_dot_48_bar__minus_49_dot_06 GarbageCanType)
    (objectType Egg_bar__plus_20_dot_10_bar__plus_33_dot_22 EggType)
    (inReceptacle Egg_bar__plus_20_dot_10_bar__plus_33_dot_22 Shelf_bar__minus_82_dot_95_bar__plus_23_dot_03)
    (objectAtLocation Egg_bar__plus_20_dot_10_bar__plus_33_dot_22 loc_bar_minus_2_bar_7)
    (pickupable Egg_bar__plus_20_dot_10_bar__plus_33_dot_22)
    (cleanable Egg_bar__plus_20_dot_10_bar__plus_33_dot_22)
    (heatable Egg_bar__plus_20_dot_10_bar__plus_33_dot_22)
    (coolable Egg_bar__plus_20_dot_10_bar__plus_33_dot_22)
    (sliceable Egg_bar__plus_20_dot_10_bar__plus_33_dot_22)
    (toggleable Egg_bar__plus_20_dot_10_bar__plus_33_dot_22)
    (objectType Potato_bar__plus_39_dot_60_bar__minus_64_dot_97 PotatoType)
    (inReceptacle Potato_bar__plus_39_dot_60_bar__minus_64_dot_97 Cabinet_bar__plus_86_dot_67_bar__minus_38_dot_51)
    (objectAtLocation Potato_bar__plus_39_dot_60_bar__minus_64_dot_97 loc_bar_minus_0_bar_8)
    (pickupable Potato_bar__plus_39_dot_60_bar__minus_64_dot_97)
    (cleanable Potato_bar__plus_39_dot_60_bar__minus_64_dot_97)
    (sliceable Potato_bar__plus_39_dot_60_bar__minus_64_dot_97)
    (toggleable Potato_bar__plus_39_dot_60_bar__minus_64_dot_97)
    (objectType FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99 FloorLampType)
    (inReceptacle FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99 Drawer_bar__minus_37_dot_83_bar__minus_26_dot_30)
    (inReceptacle FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99 Microwave_bar__plus_37_dot_77_bar__minus_93_dot_62)
    (objectAtLocation FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99 loc_bar_minus_0_bar_8)
    (pickupable FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99)
    (cleanable FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99)
    (coolable FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99)
    (sliceable FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99)
    (toggleable FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99)
    (objectType Mug_bar__minus_19_dot_31_bar__plus_99_dot_31 MugType)
    (inReceptacle Mug_bar__minus_19_dot_31_bar__plus_99_dot_31 Shelf_bar__minus_82_dot_95_bar__plus_23_dot_03)
    (inReceptacle Mug_bar__minus_19_dot_31_bar__plus_99_dot_31 Microwave_bar__plus_37_dot_77_bar__minus_93_dot_62)
    (objectAtLocation Mug_bar__minus_19_dot_31_bar__plus_99_dot_31 loc_bar_1_bar_5)
    (objectAtLocation Mug_bar__minus_19_dot_31_bar__plus_99_dot_31 loc_bar_minus_0_bar_8)
    (pickupable Mug_bar__minus_19_dot_31_bar__plus_99_dot_31)
    (cleanable Mug_bar__minus_19_dot_31_bar__plus_99_dot_31)
    (heatable Mug_bar__minus_19_dot_31_bar__plus_99_dot_31)
    (coolable Mug_bar__minus_19_dot_31_bar__plus_99_dot_31)
    (isClean Mug_bar__minus_19_dot_31_bar__plus_99_dot_31)
    (objectType Apple_bar__plus_18_dot_37_bar__plus_69_dot_51 AppleType)
    (inReceptacle Apple_bar__plus_18_dot_37_bar__plus_69_dot_51 Shelf_bar__minus_82_dot_95_bar__plus_23_dot_03)
    (objectAtLocation Apple_bar__plus_18_dot_37_bar__plus_69_dot_51 loc_bar_minus_3_bar_4)
    (coolable Apple_bar__plus_18_dot_37_bar__plus_69_dot_51)
    (isHot Apple_bar__plus_18_dot_37_bar__plus_69_dot_51)
    (objectType Bread_bar__minus_16_dot_25_bar__plus_50_dot_46 BreadType)
    (inReceptacle Bread_bar__minus_16_dot_25_bar__plus_50_dot_46 Drawer_bar__minus_37_dot_83_bar__minus_26_dot_30)
    (objectAtLocation Bread_bar__minus_16_dot_25_bar__plus_50_dot_46 loc_bar_minus_0_bar_8)
    (heatable Bread_bar__minus_16_dot_25_bar__plus_50_dot_46)
    (coolable Bread_bar__minus_16_dot_25_bar__plus_50_dot_46)
    (toggleable Bread_bar__minus_16_dot_25_bar__plus_50_dot_46)
    (isCool Bread_bar__minus_16_dot_25_bar__plus_50_dot_46)
    (objectType Box_bar__minus_25_dot_19_bar__minus_27_dot_76 BoxType)
    (inReceptacle Box_bar__minus_25_dot_19_bar__minus_27_dot_76 Shelf_bar__minus_82_dot_95_bar__plus_23_dot_03)
    (objectAtLocation Box_bar__minus_25_dot_19_bar__minus_27_dot_76 loc_bar_1_bar_5)
    (objectAtLocation Box_bar__minus_25_dot_19_bar__minus_27_dot_76 loc_bar_minus_0_bar_8)
    (pickupable Box_bar__minus_25_dot_19_bar__minus_27_dot_76)
    (cleanable Box_bar__minus_25_dot_19_bar__minus_27_dot_76)
    (heatable Box_bar__minus_25_dot_19_bar__minus_27_dot_76)
    (sliceable Box_bar__minus_25_dot_19_bar__minus_27_dot_76)
    (toggleable Box_bar__minus_25_dot_19_bar__minus_27_dot_76)
    (isReceptacleObject Box_bar__minus_25_dot_19_bar__minus_27_dot_76)
    (inReceptacleObject Mug_bar__minus_19_dot_31_bar__plus_99_dot_31 Box_bar__minus_25_dot_19_bar__minus_27_dot_76)
    (inReceptacleObject FloorLamp_bar__minus_38_dot_50_bar__plus_68_dot_99 Box_bar__minus_25_dot_19_bar__minus_27_dot_76)
    (objectType DeskLamp_bar__plus_19_dot_83_bar__minus_68_dot_85 DeskLampType)
    (inReceptacle DeskLamp_bar__plus_19_dot_83_bar__minus_68_dot_85 Microwave_bar__plus_37_dot_77_bar__minus_93_dot_62)
    (objectAtLocation DeskLamp_bar__plus_19_dot_83_bar__minus_68_dot_85 loc_bar_minus_0_bar_8)
    (pickupable DeskLamp_bar__plus_19_dot_83_bar__minus_68_dot_85)
    (coolable DeskLamp_bar__plus_19_dot_83_bar__minus_68_dot_85)
    (sliceable DeskLamp_bar__plus_19_dot_83_bar__minus_68_dot_85)
    (objectType Cloth_bar__minus_16_dot_69_bar__plus_31_dot_94 ClothType)
    (inReceptacle Cloth_bar__minus_16_dot_69_bar__plus_31_dot_94 Drawer_bar__minus_37_dot_83_bar__minus_26_dot_30)
    (inReceptacle Cloth_bar__minus_16_dot_69_bar__plus_31_dot_94 Bathtub_bar__plus_31_dot_07_bar__plus_53_dot_75_bar_BathtubBasin)
    (pickupable Cloth_bar__minus_16_dot_69_bar__plus_31_dot_94)
    (sliceable Cloth_bar__minus_16_dot_69_bar__plus_31_dot_94)
    (toggleable Cloth_bar__minus_16_dot_69_bar__plus_31_dot_94)
    (isCool Cloth_bar__minus_16_dot_69_bar__plus_31_dot_94))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o FloorLampType) (receptacleType ?r BathtubBasinType) (isClean ?o)))))))
